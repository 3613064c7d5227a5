# ILogicEval: DivLogicEval's instances in splits of its own. Included by ../benchmarks.smk.
#
# Inputs   data/benchmarks/divlogiceval/
# Outputs  data/benchmarks/ilogiceval/{train,validation,test}.jsonl, data/benchmarks/s-ilogiceval/{train,test}.jsonl


TARGETS["ilogiceval"] = [
    *expand("data/benchmarks/ilogiceval/{split}.jsonl", split=["train", "validation", "test"]),
    *expand("data/benchmarks/s-ilogiceval/{split}.jsonl", split=["train", "test"]),
]


rule cut_ilogiceval:
    """Cut the same instances into ILogicEval's train, validation and test splits, and write the symbolic twin."""
    input:
        test="data/benchmarks/divlogiceval/test.jsonl",
        unpolished="data/benchmarks/divlogiceval/unpolished.jsonl",
    output:
        train="data/benchmarks/ilogiceval/train.jsonl",
        validation="data/benchmarks/ilogiceval/validation.jsonl",
        test="data/benchmarks/ilogiceval/test.jsonl",
        twin=expand("data/benchmarks/s-ilogiceval/{split}.jsonl", split=["train", "test"]),
    log:
        "logs/benchmarks/cut_ilogiceval.log",
    benchmark:
        "logs/benchmarks/cut_ilogiceval.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks ilogiceval cut"),
        source=subpath(input.test, parent=True),
        out=subpath(output.test, parent=True),
        twin=subpath(output[3], parent=True),
        config=params_of("benchmarks.ilogiceval"),
    shell:
        """
        divlogic benchmarks ilogiceval cut \
            --in {params.source:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            --twin {params.twin:q} \
            2> {log:q}
        """
