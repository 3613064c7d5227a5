"""FOLIO: statements judged by premises that annotators wrote in English and in first-order logic (Han et al., 2024)."""
