"""Logging in and joining."""

from __future__ import annotations

from fastapi import APIRouter

from referee.web.site import Site


def router(site: Site) -> APIRouter:
    """What is needed to log in and to join."""
    return APIRouter()
