# The phases that measure the benchmarks or ask models with them, as the one stage of dvc.yaml that they share: side by
# side they take two thirds of the time that they take one after another.


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
