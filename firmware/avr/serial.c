/* The serial line: interrupts fill and empty two rings of bytes. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "hal.h"
#include "machine.h"
#include "protocol.h"

/* Powers of two. The longest frame is 62 bytes; a host that waits for answers has one on its way. */
enum { RX_SIZE = 128, TX_SIZE = 128, STAMPS = 8 };

static volatile uint8_t rx[RX_SIZE], tx[TX_SIZE];
static volatile uint8_t rx_in, rx_out, tx_in, tx_out;
static volatile uint32_t stamps[STAMPS]; /* when the last zero bytes came */
static volatile uint8_t stamps_in;
static uint8_t stamps_out;
static volatile uint16_t overruns;

void serial_init(void) {
    UCSR0A = 1 << U2X0;
    UBRR0 = F_CPU / 8 / BAUD - 1; /* 117647 baud: 2.1 % fast, as every Uno */
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
}

ISR(USART_RX_vect) {
    if (UCSR0A & 1 << DOR0) overruns++;
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)(rx_in + 1) % RX_SIZE;
    if (next == rx_out) {
        overruns++;
        return;
    }
    if (byte == 0) stamps[stamps_in++ % STAMPS] = hal_us();
    rx[rx_in] = byte;
    rx_in = next;
    machine_wake();
}

bool hal_rx(uint8_t *byte) {
    if (rx_in == rx_out) return false;
    *byte = rx[rx_out];
    rx_out = (uint8_t)(rx_out + 1) % RX_SIZE;
    return true;
}

uint32_t hal_rx_stamp(void) {
    uint8_t before = hal_lock();
    uint32_t stamp = stamps[stamps_out++ % STAMPS];
    hal_unlock(before);
    return stamp;
}

uint16_t hal_overruns(void) {
    uint8_t before = hal_lock();
    uint16_t count = overruns;
    hal_unlock(before);
    return count;
}

ISR(USART_UDRE_vect) {
    UDR0 = tx[tx_out];
    tx_out = (uint8_t)(tx_out + 1) % TX_SIZE;
    if (tx_out == tx_in) {
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
        machine_wake();
    }
}

uint8_t hal_tx_room(void) { return (uint8_t)(tx_out - tx_in - 1) % TX_SIZE; }

bool hal_tx_idle(void) { return tx_in == tx_out; }

void hal_tx(uint8_t byte) {
    tx[tx_in] = byte;
    tx_in = (uint8_t)(tx_in + 1) % TX_SIZE;
    uint8_t before = hal_lock();
    UCSR0B |= 1 << UDRIE0;
    hal_unlock(before);
}
