"""Grammar polish by a language model (DivLogicEval, Section 2.1 and Appendix G): optional, off by default.

Two steps: :func:`run.ask` collects proposals in the models' response store, which is never deleted since it may have
cost money; :func:`run.apply` chooses among them and writes the polished records, from the store alone. Nothing is
imported here: the section of the parameters, which every command reads, would bring the models along.
"""
