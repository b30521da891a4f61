# Builds on Debian's own Python, so that the base can also be made by debootstrap.
#   docker build -t starchart .
#   docker run --rm -p 8000:8000 -v starchart:/data starchart
# Behind a network with certificates of its own: --build-arg PIP_CERT=/path/in/the/build/ca.crt

FROM debian:bookworm-slim AS build
ARG PIP_CERT
ENV PIP_CERT=${PIP_CERT} PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
RUN python3 -m venv /opt/starchart
WORKDIR /src
# The dependencies alone first: they change less often than the code, and their layer is kept.
COPY pyproject.toml ./
RUN python3 -c 'import tomllib; print("\n".join(tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"]))' \
      > /tmp/requirements.txt \
 && /opt/starchart/bin/pip install --requirement /tmp/requirements.txt
COPY . .
RUN /opt/starchart/bin/pip install --no-deps . \
 && /opt/starchart/bin/pip check \
 && /opt/starchart/bin/pip uninstall --yes pip

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 tzdata \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin starchart \
 && install --directory --owner starchart --group starchart --mode 700 /data
COPY --from=build /opt/starchart /opt/starchart
ENV PATH=/opt/starchart/bin:/usr/bin:/bin \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    STARCHART_DATA=/data
USER starchart
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
  CMD ["python3", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/api/health', timeout=8)"]
CMD ["starchart", "serve", "--host", "0.0.0.0", "--port", "8000"]
