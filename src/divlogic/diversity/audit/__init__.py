"""Label audit: published labels derived again from the symbolic form that a benchmark carries."""

from divlogic.diversity.audit.run import AuditSummary, audit_records, summarise
from divlogic.diversity.audit.verdict import Verdict

__all__ = ["AuditSummary", "Verdict", "audit_records", "summarise"]
