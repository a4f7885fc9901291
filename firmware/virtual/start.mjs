// Runs a MicroPython file under Node: node start.mjs PACKAGE SCRIPT FLASH BENCH FOLDER...
// PACKAGE is micropython.mjs of the npm package, FLASH a folder, BENCH a file or "-". The Python
// files of every FOLDER can be imported. MicroPython keeps Node's event loop waiting, so
// everything here reads and writes at once.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [source, script, flash, bench, ...folders] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(source).href);
const python = await loadMicroPython({
    heapsize: 192 * 1024,
    linebuffer: false,
    stdout: (bytes) => fs.writeSync(1, bytes),
});
const files = python.FS;

const nothing = new Int32Array(new SharedArrayBuffer(4));
const sleep = (ms) => Atomics.wait(nothing, 0, 0, ms);

// --- the line: standard input and output, which must be non-blocking ---------------------------

const heard = Buffer.alloc(4096);
let first = 0;
let last = 0;
let unsent = Buffer.alloc(0);

function listen() {
    if (first === last) {
        first = last = 0;
        try {
            last = fs.readSync(0, heard, 0, heard.length, null);
        } catch (error) {
            if (error.code !== 'EAGAIN') throw error;
        }
    }
    return first < last;
}

function send() {
    try {
        while (unsent.length) unsent = unsent.subarray(fs.writeSync(1, unsent));
    } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
    }
    return unsent.length === 0;
}

python.registerJsModule('companion_line', {
    ready(ms) {
        if (ms) keepFlash();
        if (!listen() && ms) sleep(ms);
        return listen();
    },
    room: send,
});

device('line', 90, {
    read(stream, buffer, offset, length) {
        const count = Math.min(length, last - first);
        buffer.set(heard.subarray(first, first + count), offset);
        first += count;
        return count;
    },
    write(stream, buffer, offset, length) {
        unsent = Buffer.concat([unsent, Buffer.from(buffer.slice(offset, offset + length))]);
        send();
        return length;
    },
});

// --- the bench: a file outside -----------------------------------------------------------------

if (bench !== '-') {
    const file = fs.openSync(bench, 'r+');
    device('bench', 91, {
        read: (stream, buffer, offset, length, position) =>
            fs.readSync(file, buffer, offset, length, position),
        write: (stream, buffer, offset, length, position) =>
            fs.writeSync(file, buffer, offset, length, position),
        llseek: (stream, offset, whence) => (whence === 1 ? stream.position + offset : offset),
    });
}

function device(name, number, operations) {
    const id = files.makedev(number, 0);
    files.registerDevice(id, operations);
    files.mkdev(`/dev/${name}`, id);
}

// --- the flash: a folder outside, copied in at the start and out after every change ------------

files.mkdir('/flash');
for (const name of fs.readdirSync(flash)) {
    files.writeFile(`/flash/${name}`, fs.readFileSync(path.join(flash, name)));
}
let keptAt = files.stat('/flash').mtime.getTime();

function keepFlash() {
    const at = files.stat('/flash').mtime.getTime();
    if (at === keptAt) return;
    keptAt = at;
    const names = files.readdir('/flash').filter((name) => !name.startsWith('.'));
    for (const name of fs.readdirSync(flash)) {
        if (!names.includes(name)) fs.unlinkSync(path.join(flash, name));
    }
    for (const name of names) {
        fs.writeFileSync(path.join(flash, name), files.readFile(`/flash/${name}`));
    }
}

// --- the program -------------------------------------------------------------------------------

const paths = folders.map((folder, index) => {
    const inside = `/python${index}`;
    files.mkdir(inside);
    for (const name of fs.readdirSync(folder).filter((name) => name.endsWith('.py'))) {
        files.writeFile(`${inside}/${name}`, fs.readFileSync(path.join(folder, name)));
    }
    return inside;
});
files.chdir('/flash');
python.runPython(`import sys\nsys.path[:] = ${JSON.stringify(paths)}`);
let code = 0;
try {
    python.runPython(fs.readFileSync(script, 'utf8'));
} catch (error) {
    const exit = error.type === 'SystemExit';
    if (!exit) process.stderr.write(`${error.message ?? error}\n`);
    code = exit ? Number(/SystemExit: (\d+)/.exec(error.message)?.[1] ?? 0) : 1;
}
keepFlash();
process.exit(code);
