"""Prior-knowledge independence: can a benchmark be answered from its questions alone? (JustLogic, Section 4.2)"""
