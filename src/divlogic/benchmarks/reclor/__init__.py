"""ReClor: multiple-choice reading comprehension from admission tests (Yu et al., 2020)."""
