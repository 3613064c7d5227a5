# The whole workflow in a container, without Python on the host:
#     docker build --tag divlogic .
#     docker run --rm --volume "$PWD/out:/divlogic/results" divlogic
# The run of `make all` needs no network; its results come to out/.
FROM python:3.12-slim
# git, for DVC and the provenance of the report.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git make \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /divlogic
# The environment first: a change of the code does not install it again.
COPY requirements requirements
COPY pyproject.toml Makefile README.md LICENSE ./
COPY src/divlogic/__init__.py src/divlogic/__init__.py
RUN make env
COPY . .
RUN git config --global --add safe.directory /divlogic
CMD ["make", "all"]
