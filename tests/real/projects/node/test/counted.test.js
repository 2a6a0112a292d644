'use strict';
const assert = require('assert');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const test = require('node:test');
const { counted } = require('../counted.js');

test('numbers are counted', () => {
  assert.strictEqual(counted([1, '2', 'x', null]), 2);
});

test('a socket in the temporary directory works', (t, done) => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'n'));
  const server = net.createServer((socket) => socket.end('reached'));
  server.listen(path.join(directory, 's'), () => {
    net.connect(path.join(directory, 's')).on('data', (data) => {
      assert.strictEqual(String(data), 'reached');
      server.close(done);
    });
  });
});
