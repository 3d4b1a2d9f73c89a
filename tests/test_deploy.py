"""The image and its compose file: what they name exists, and they keep the promises of the README."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return loaded


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions in order, continued lines joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines if line.strip()]


def test_what_the_image_copies_is_there_and_not_ignored() -> None:
    admitted = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        source
        for name, rest in instructions()
        if name == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    }
    assert copied == admitted
    assert all((ROOT / source).exists() for source in copied)


def test_the_image_runs_as_a_user_of_its_own() -> None:
    users = [rest for name, rest in instructions() if name == "USER"]
    assert users
    assert users[-1] not in {"root", "0"}


def test_it_is_built_with_a_compiler_and_run_without_one() -> None:
    stages = [rest for name, rest in instructions() if name == "FROM"]
    assert len(stages) == 2
    assert all("slim" in stage for stage in stages)
    last = [rest for name, rest in instructions()][[name for name, _ in instructions()].index("FROM", 1) :]
    assert not any("gcc" in rest for rest in last)


@pytest.mark.parametrize("name", sorted(compose()["services"]))
def test_each_service_is_hardened_checked_and_restarted(name: str) -> None:
    service = compose()["services"][name]
    assert service["healthcheck"]["test"]
    assert service["restart"] == "unless-stopped"
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service.get("user") not in {"root", "0"}


def test_the_volumes_are_declared_and_the_files_that_are_mounted_exist() -> None:
    for service in compose()["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert (ROOT / source).exists() if source.startswith(".") else source in compose()["volumes"]


def test_one_command_gives_two_nodes_a_store_on_disk_and_a_proxy_and_a_profile_gives_one_node() -> None:
    services = compose()["services"]
    assert {name for name, service in services.items() if "profiles" not in service} == {
        "redis",
        "node1",
        "node2",
        "proxy",
    }
    assert services["single"]["profiles"] == ["single"]
    redis = services["redis"]["command"]
    for option in (["--appendonly", "yes"], ["--appendfsync", "always"], ["--maxmemory-policy", "noeviction"]):
        at = redis.index(option[0])
        assert redis[at : at + 2] == option
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert set(published) == {"proxy", "single"}, "nodes and store are reached by nobody else"


def test_the_settings_of_a_node_are_taken_by_the_program() -> None:
    """With the image's own environment and that of the compose file. There is no store, and it says so."""
    image = dict(re.findall(r"(DOUBLE_SOLITAIRE_\w+)=(\S+)", (ROOT / "Dockerfile").read_text()))
    given = {name: str(value) for name, value in compose()["services"]["node1"]["environment"].items()}
    env = {**os.environ, **image, **given, "DOUBLE_SOLITAIRE_WORKERS": "1"}
    env["DOUBLE_SOLITAIRE_STORE"] = "redis://127.0.0.1:1/0"
    run = subprocess.run(
        [sys.executable, "-m", "server", "serve"], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "cannot be reached" in run.stderr


def haproxy(*files: Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("haproxy") or "/usr/sbin/haproxy"
    if not Path(program).exists():
        pytest.skip("haproxy is not installed (scripts/provide.sh haproxy)")
    options = [option for file in files for option in ("-f", str(file))]
    return subprocess.run([program, "-c", *options], capture_output=True, text=True, check=False)


def test_the_proxy_takes_its_configuration() -> None:
    checked = haproxy(ROOT / "deploy" / "haproxy.cfg")
    assert checked.returncode == 0, checked.stderr


def test_the_proxy_takes_a_certificate(tmp_path: Path) -> None:
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"]
    subprocess.run([*made, "-keyout", tmp_path / "key", "-out", tmp_path / "cert"], check=True, capture_output=True)
    (tmp_path / "site.pem").write_text((tmp_path / "cert").read_text() + (tmp_path / "key").read_text())
    tls = tmp_path / "tls.cfg"
    tls.write_text((ROOT / "deploy" / "tls.cfg").read_text().replace("/certs/", f"{tmp_path}/"))
    checked = haproxy(ROOT / "deploy" / "haproxy.cfg", tls)
    assert checked.returncode == 0, checked.stderr
    override = yaml.safe_load((ROOT / "docker-compose.tls.yml").read_text())["services"]["proxy"]
    assert set(override) <= {"command", "ports", "volumes"}
    assert (ROOT / "deploy" / "tls.cfg").exists()
