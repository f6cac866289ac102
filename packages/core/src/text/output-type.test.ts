import { expect, test } from 'vitest'
import { cpuTimeOf } from '@genmount/testing'
import { outputTypeBytes, outputTypeOf } from './output-type.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const svg = 'image/svg+xml'
const unknown = 'application/octet-stream'

test.each([
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', svg],
  ['<svg/>', svg],
  ['\ufeff  \n<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by a > model --><svg\nwidth="1">', svg],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/a.dtd">\n<svg width="1">', svg],
  [`<!--${'x'.repeat(outputTypeBytes)}--><svg>`, unknown],
  ['<!DOCTYPE html><svg xmlns="http://www.w3.org/2000/svg">', unknown],
  ['<html><svg>', unknown],
  ['<svgx>', unknown],
  ['text <svg>', unknown],
  ['<?php ?><svg>', unknown],
  ['GIF89a<svg>', 'image/gif'],
])('an SVG is recognized by its first tag: %j is %s', (text, type) => {
  expect(outputTypeOf(bytesOf(text))).toBe(type)
})

test('a declared image/svg+xml without an svg tag is not accepted', () => {
  expect(outputTypeOf(bytesOf('a picture of a rare kind'), svg)).toBe(unknown)
  expect(outputTypeOf(bytesOf('<html>'), svg)).toBe(unknown)
  expect(outputTypeOf(bytesOf('<svg>'), 'text/html')).toBe(svg)
})

test('only the beginning of a file is read to recognize an SVG, however long it is', async () => {
  const hostile = bytesOf(`${'<!---->'.repeat(3_000_000)}<svg>`)
  const cpuMs = await cpuTimeOf(() => {
    for (let time = 0; time < 100; time++) expect(outputTypeOf(hostile)).toBe(unknown)
  })
  expect(cpuMs).toBeLessThan(5000)
})
