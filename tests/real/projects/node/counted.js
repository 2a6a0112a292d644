'use strict';
const isNumber = require('is-number');

exports.counted = (values) => values.filter((value) => isNumber(value)).length;
