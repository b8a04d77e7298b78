"""The process of `finrag serve`: its socket, its warm models, how it starts and ends."""

from __future__ import annotations

import gc
import signal
import socket
from collections.abc import Callable
from ipaddress import ip_address
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from finrag_pipeline import tracing
from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.serve.service import Service, open_service

if TYPE_CHECKING:
    from finrag_pipeline.settings import Settings

#: Seconds that requests under way may take to end once the process is asked to.
_GRACE_S = 10
_BACKLOG = 1024
#: Objects made before the collector looks for rings among them.
_OBJECTS = 20_000


def run(
    settings: Settings, host: str, port: int, ready: Callable[[str], None], *, tokens: bool = False
) -> None:
    """Serve until SIGINT or SIGTERM, which end the process with 0.

    Args:
        settings: of the process.
        host: name or address.
        port: 0 takes a free one.
        tokens: ask for a token on loopback too; elsewhere one is always needed.
        ready: called with the URL once requests are answered.

    Raises:
        ConfigurationError: the address is taken or not of this host; tokens are needed, and there
            are none.
        FinragError: as in `open_service`, or stored vectors are of another embedder.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn ends first and raises the signal again
        signal.signal(number, _end)
    with (
        tracing.exported(settings.traces_url),
        bound(host, port) as listening,
        open_service(settings, writing=True) as service,
    ):
        needs_token = tokens or not ip_address(listening.getsockname()[0]).is_loopback
        if needs_token:
            _require_tokens(service, host)
        warm(service)
        _keep_loaded()
        _serve(service, listening, host, needs_token, ready)


def bound(host: str, port: int) -> socket.socket:
    """A socket that takes the address before anything else is opened."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise ConfigurationError(f"{host} is no address of a host: {error.strerror}") from None
    listening = socket.socket(family, kind)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise ConfigurationError(
            f"cannot listen at {host} port {port}: {error.strerror}; stop what does, or give "
            "another --port or --host"
        ) from None
    return listening


def _require_tokens(service: Service, host: str) -> None:
    from finrag_pipeline.store.access import api_tokens

    with service.writer.connection() as connection:
        if not api_tokens.any_valid(connection):
            raise ConfigurationError(
                f"nobody has a token to ask at {host}: run `finrag tokens create NAME` first, or "
                "serve loopback, where none is needed"
            )


def warm(service: Service) -> None:
    """Load what the first question would wait for: models, words, the keyword copy."""
    from finrag_pipeline.query.question.options import Options

    # a chat model that judges is a server of its own: nothing of it is loaded here
    options = Options(rerank=service.settings.reranker != "chat")
    service.engine().search("营业收入 revenue", options)


def _keep_loaded() -> None:
    """Spare the collector what stays for good: models, vocabularies, code. It went through all of
    it several times a second, a sixth of what a search cost."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS, 20, 20)


def _serve(
    service: Service,
    listening: socket.socket,
    host: str,
    needs_token: bool,
    ready: Callable[[str], None],
) -> None:
    import uvicorn

    from finrag_pipeline.serve.http.app import create_app

    port = listening.getsockname()[1]
    name = f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        create_app(
            service, needs_token=needs_token, on_ready=lambda: ready(f"http://{name}:{port}/")
        ),
        log_config=None,
        access_log=False,  # it would print query strings; `observing` tells routes alone
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=_GRACE_S,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
