import { createHash } from 'node:crypto'
import type { JsonObject, Provider, ProviderReport } from '@genmount/core'

/** The bytes of the outputs that a provider on this machine makes of an input. */
export async function outputsOf(provider: Provider, model: string, input: JsonObject): Promise<Uint8Array[]> {
  const result = await provider.models.find(({ id }) => id === model)?.input['~standard'].validate(input)
  if (result === undefined || result.issues) throw new Error(JSON.stringify(result))
  const call = { signal: new AbortController().signal }
  const task = { jobId: 'job', model, input: result.value as JsonObject, clientToken: JSON.stringify(input) }
  let report: ProviderReport = await provider.submit(task, call)
  while (report.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 50))
    report = await provider.poll({ ...task, handle: report.handle }, call)
  }
  if (report.state !== 'succeeded') throw new Error(JSON.stringify(report))
  return report.outputs.flatMap((output) => ('bytes' in output ? [output.bytes] : []))
}

/** Prints the digests of all outputs for some inputs, which runtimes are compared by. The process has to end by itself. */
export async function printDigests(
  provider: Provider,
  inputs: readonly (readonly [model: string, input: JsonObject])[],
): Promise<void> {
  const outputs: Uint8Array[] = []
  for (const [model, input] of inputs) outputs.push(...(await outputsOf(provider, model, input)))
  await provider.close?.()
  console.log(JSON.stringify(outputs.map((bytes) => createHash('sha256').update(bytes).digest('hex'))))
}
