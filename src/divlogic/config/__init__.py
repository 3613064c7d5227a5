"""The base of each section of the parameters, their keys, and the options of commands; see `divlogic.parameters`."""
