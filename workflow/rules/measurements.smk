# The phases that measure the benchmarks or ask models with them, as the one stage of dvc.yaml that they share: one after
# another, each would wait for the longest job of the one before.


include: "../common.smk"
include: "collection.smk"
include: "hardening.smk"
include: "diversity.smk"
include: "prior_knowledge.smk"
include: "evaluation.smk"
include: "contamination.smk"


rule measurements:
    """All outputs of these phases."""
    input:
        rules.collection.input,
        rules.hardening.input,
        rules.diversity.input,
        rules.prior_knowledge.input,
        rules.evaluation.input,
        rules.contamination.input,
