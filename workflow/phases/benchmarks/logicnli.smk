# What LogicNLI alone has: many sets in one pass, and Z3's verdict on all of its test sets. Included by ../benchmarks.smk.
#
# Inputs   none
# Outputs  data/benchmarks/logicnli/<set>.jsonl, results/benchmarks/logicnli/z3.json


from divlogic.benchmarks.logicnli.sets import is_test

REALISE_INPUTS["logicnli"] = {}


ruleorder: assemble_logicnli > assemble_split
ruleorder: confirm_logicnli > verify_labels


rule assemble_logicnli:
    """Put the shards of LogicNLI together: one file per set."""
    input:
        realised=realised_shards("logicnli"),
    output:
        splits_of("logicnli"),
    log:
        "logs/benchmarks/assemble_logicnli.log",
    benchmark:
        "logs/benchmarks/assemble_logicnli.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks.logicnli.build", "benchmarks.logicnli.cli"),
        out=subpath(output[0], parent=True),
    message:
        "Assembling the sets of LogicNLI"
    shell:
        """
        divlogic benchmarks logicnli sets \
            {input.realised:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule confirm_logicnli:
    """Read every text of LogicNLI's test sets back, and confirm its label with Z3, twice where it holds in both readings."""
    input:
        records=expand(
            "data/benchmarks/logicnli/{set}.jsonl",
            set=[name for name in GENERATORS["logicnli"].splits if is_test(name)],
        ),
    output:
        "results/benchmarks/logicnli/z3.json",
    log:
        "logs/benchmarks/confirm_logicnli.log",
    benchmark:
        "logs/benchmarks/confirm_logicnli.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks.logicnli", "logic"),
    message:
        "Confirming the labels of LogicNLI with Z3"
    shell:
        """
        divlogic benchmarks logicnli confirm \
            {input.records:q} \
            --out {output:q} \
            2> {log:q}
        """
