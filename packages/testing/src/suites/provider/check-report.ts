import assert from 'node:assert/strict'
import { type Output, providerFailures, type ProviderReport } from '@genmount/core'

/** Fails if the report breaks the contract. @returns the same report */
export function checkReport(report: ProviderReport): ProviderReport {
  assert.ok(typeof report === 'object' && report !== null, 'a report is an object')
  switch (report.state) {
    case 'running':
      assert.notEqual(report.handle, undefined, 'a running report has a handle')
      assert.deepEqual(JSON.parse(JSON.stringify(report.handle)), report.handle, 'a handle is JSON')
      checkAmount('pollAfterMs', report.pollAfterMs)
      break
    case 'succeeded':
      assert.ok(
        Array.isArray(report.outputs) && report.outputs.length > 0,
        'a succeeded report has an output',
      )
      report.outputs.forEach(checkOutput)
      checkAmount('costUsd', report.costUsd)
      checkAmount('inferenceMs', report.inferenceMs)
      break
    case 'failed':
      assert.ok(
        providerFailures.includes(report.code),
        `${JSON.stringify(report.code)} is no code of a failure`,
      )
      checkMessage(report.message)
      checkAmount('costUsd', report.costUsd)
      break
    case 'refused':
      checkMessage(report.message)
      checkAmount('retryAfterMs', report.retryAfterMs)
      break
    case 'unknown':
      checkMessage(report.message)
      checkAmount('costUsd', report.costUsd)
      break
    default:
      assert.fail(`${JSON.stringify((report as { state: unknown }).state)} is not a state of a report`)
  }
  return report
}

function checkOutput(output: Output): void {
  if ('bytes' in output) {
    assert.ok(output.bytes instanceof Uint8Array && output.bytes.byteLength > 0, 'an output has bytes')
  } else {
    assert.equal(new URL(output.url).protocol, 'https:', 'an output is at an https URL, or the job fails')
  }
}

function checkMessage(message: string): void {
  assert.ok(typeof message === 'string' && message.trim() !== '', 'a message says something')
}

function checkAmount(name: string, amount: number | undefined): void {
  if (amount !== undefined) assert.ok(Number.isFinite(amount) && amount >= 0, `${name} is ${amount}`)
}
