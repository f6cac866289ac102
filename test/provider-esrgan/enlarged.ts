import { esrganProvider } from '@genmount/provider-esrgan'
import type { ProviderReport } from '@genmount/core'

/** The file that the provider makes of the picture, as PNG. */
export async function enlarged(model: string, image: string): Promise<Uint8Array> {
  const provider = esrganProvider()
  const call = { signal: new AbortController().signal }
  const task = { jobId: 'job', model, input: { image, format: 'png' }, clientToken: 'token' }
  try {
    let report: ProviderReport = await provider.submit(task, call)
    while (report.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 50))
      report = await provider.poll({ ...task, handle: report.handle }, call)
    }
    const [output] = report.state === 'succeeded' ? report.outputs : []
    if (output === undefined || !('bytes' in output)) throw new Error(JSON.stringify(report))
    return output.bytes
  } finally {
    await provider.close?.()
  }
}
