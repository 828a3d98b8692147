"""pyserial's handler of `fake://`; it finds this module by its name."""

from __future__ import annotations

from serial import serialutil

from referee.box.fake.ports import Plug, board_of_url


class Serial(serialutil.SerialBase):  # type: ignore[misc]
    """A serial port with a fake board at its far end."""

    _plug: Plug | None = None

    def open(self) -> None:
        """Opens it; SerialException if the board is unplugged."""
        self._plug = board_of_url(self.portstr)
        with self._plug as board:
            if not board.plugged_in:
                raise serialutil.SerialException(2, f"could not open port {self.portstr}")
            board.opened()
            self._plug.port = self
        self._rest = b""
        self._cancelled = False
        self.is_open = True

    def close(self) -> None:
        """Closes it."""
        self.is_open = False

    def from_url(self, url: str) -> str:
        """Returns the address."""
        return url

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""
        self._take()
        return len(self._rest)

    def read(self, size: int = 1) -> bytes:
        """Reads up to `size` bytes; fewer if the time is up or cancel_read was called."""
        plug = self._opened()
        until = None if self.timeout is None else plug.clock.now() + self.timeout
        while True:
            plug.woken.clear()
            self._take()
            left = 1.0 if until is None else until - plug.clock.now()
            if len(self._rest) >= size or self._cancelled or left <= 0:
                break
            plug.clock.wait(plug.until_something(left), plug.woken)
        self._cancelled = False
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def cancel_read(self) -> None:
        """Ends a read that waits, or the next one."""
        self._cancelled = True
        self._opened().woken.set()

    def write(self, data: bytes) -> int:
        """Puts bytes on the line."""
        with self._opened() as board:
            self._check(board.plugged_in)
            board.line.write(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is kept back."""

    def reset_input_buffer(self) -> None:
        """Throws away what has come."""
        self._take()
        self._rest = b""

    def reset_output_buffer(self) -> None:
        """Nothing is kept back."""

    def _opened(self) -> Plug:
        if not self.is_open or self._plug is None:
            raise serialutil.PortNotOpenError
        return self._plug

    def _take(self) -> None:
        plug = self._opened()
        with plug as board:
            self._check(board.plugged_in and plug.port is self)
            self._rest += board.line.read()
        plug.woken.clear()

    def _check(self, there: bool) -> None:
        if not there:
            raise serialutil.SerialException(
                "device reports readiness to read but returned no data (device disconnected?)"
            )

    def _reconfigure_port(self) -> None:
        """Speed and parity mean nothing here."""

    def _update_rts_state(self) -> None:
        """There is no such line."""

    def _update_dtr_state(self) -> None:
        """There is no such line."""

    def _update_break_state(self) -> None:
        """There is no such line."""
