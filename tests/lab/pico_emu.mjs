// A Raspberry Pi Pico in rp2040js: its USB serial port is standard input and output, its SPI bytes
// and chip select go to the descriptor DICETRAY_BOARD_FD as records of
// simulator/micropython_stubs/machine.py, and its flash can be written and outlives a reset.
//
//   node pico_emu.mjs NODE_MODULES firmware.uf2 bootrom.json littlefs.img
//
// The file system is read from the image and written back to it. A reset ends the process with the
// record R, or B if the chip went to its boot loader.
import fs from 'fs';
import path from 'path';
import { pathToFileURL } from 'url';

const [modules, uf2, rom, image] = process.argv.slice(2);
const entry = path.join(modules, 'rp2040js', 'dist', 'esm', 'index.js');
const { RP2040, USBCDC, ConsoleLogger, LogLevel, GPIOPinState } = await import(pathToFileURL(entry));

const FLASH = 0x10000000;
const FILES = 0xa0000; // 2 MiB of flash less 1408 KiB: the file system of the board RPI_PICO
const CYCLE = 8; // nanoseconds at 125 MHz
const BYTE = 4000; // nanoseconds of eight bits at 2 MHz, config.BAUDRATE
const CHIP_SELECT = 17;

const pins = Number(process.env.DICETRAY_BOARD_FD || 2);
const chip = new RP2040();
chip.logger = new ConsoleLogger(LogLevel.Error, true);
chip.loadBootrom(new Uint32Array(JSON.parse(fs.readFileSync(rom))));
const blocks = fs.readFileSync(uf2);
for (let at = 0; at < blocks.length; at += 512) {
  const size = blocks.readUInt32LE(at + 16);
  chip.flash.set(blocks.subarray(at + 32, at + 32 + size), blocks.readUInt32LE(at + 12) - FLASH);
}
const files = fs.readFileSync(image);
chip.flash.set(files, FILES);

// rp2040js has no flash chip behind its SSI: the boot ROM's flash functions become break points
// that do in JavaScript what the chip would do. RP2040 data sheet, 2.8.3: the table of functions.
const rom16 = new Uint16Array(chip.bootrom.buffer);
const breaks = {
  RE: () => chip.flash.fill(0xff, register(0), register(0) + register(1)),
  RP: () => {
    const [at, from, size] = [register(0), register(1), register(2)];
    for (let i = 0; i < size; i++) chip.flash[at + i] &= chip.readUint8(from + i);
  },
  IF: () => {},
  EX: () => {},
  FC: () => {},
  CX: () => {},
  UB: () => leave('B'),
};
const register = (n) => chip.core.registers[n] >>> 0;
const names = [];
for (let at = rom16[0x14 / 2] / 2; rom16[at]; at += 2) {
  const name = String.fromCharCode(rom16[at] & 0xff, rom16[at] >> 8);
  if (!breaks[name]) continue;
  const start = rom16[at + 1] >> 1;
  rom16[start] = 0xbe00 | names.length; // BKPT, then BX LR
  rom16[start + 1] = 0x4770;
  names.push(name);
}
chip.onBreak = (code) => {
  if (!names[code]) throw new Error(`break point ${code} at ${chip.core.PC.toString(16)}`);
  breaks[names[code]]();
};

let records = [];
const record = (...bytes) => records.push(...bytes);
let shifted = [];
const flush = () => {
  if (!records.length) return;
  fs.writeSync(pins, Uint8Array.from(records));
  records = [];
};
const tell = () => {
  if (shifted.length) record(0x53, shifted.length & 0xff, shifted.length >> 8, ...shifted);
  shifted = [];
};
const shiftedOut = chip.clock.createAlarm(() => chip.spi[0].completeTransmit(0));
chip.spi[0].onTransmit = (value) => {
  shifted.push(value);
  shiftedOut.schedule(BYTE);
};
let selected = null;
chip.gpio[CHIP_SELECT].addListener((state) => {
  const level = state === GPIOPinState.Low ? 0 : 1;
  if (level === selected) return;
  selected = level;
  tell();
  record(0x43, level);
});

chip.gpio[22].setInputValue(true); // the service pin is open, its pull-up makes it high

let gone = false;
function leave(kind) {
  if (gone) return;
  gone = true;
  tell();
  record(kind.charCodeAt(0));
  // First the flash: whoever reads the record may end this process at once.
  fs.writeFileSync(image, chip.flash.subarray(FILES, FILES + files.length));
  flush();
  process.exit(0);
}
chip.peripherals[0x40058].onWatchdogTrigger = () => leave('R');
process.on('SIGTERM', () => leave('R'));

const cdc = new USBCDC(chip.usbCtrl);
cdc.onSerialData = (bytes) => fs.writeSync(1, bytes);
let connected = false;
cdc.onDeviceConnected = () => (connected = true);
let waiting = [];
process.stdin.on('data', (data) => waiting.push(...data));
process.stdin.on('end', () => process.exit(0));

chip.core.PC = FLASH;
const started = process.hrtime.bigint();
const behind = () => Number(process.hrtime.bigint() - started) - chip.clock.nanos;

function work() {
  // A slice of emulated time; never ahead of the real clock, behind it when the chip is busy.
  const end = chip.clock.nanos + 2e6;
  while (chip.clock.nanos < end) {
    if (chip.core.waiting) {
      const wait = chip.clock.nanosToNextAlarm || 1000;
      chip.clock.tick(Math.min(wait, Math.max(1000, end - chip.clock.nanos)));
    } else {
      chip.clock.tick(chip.core.executeInstruction() * CYCLE);
    }
  }
  flush();
  while (connected && waiting.length && cdc.txFIFO.itemCount < 400) {
    cdc.sendSerialByte(waiting.shift());
  }
  const late = behind();
  if (late > 0) setImmediate(work);
  else setTimeout(work, -late / 1e6);
}
work();
