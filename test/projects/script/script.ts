import { writeFile } from 'node:fs/promises'
import { createGenerationService } from '@genmount/core'
import { proceduralProvider } from '@genmount/provider-procedural'

const [model = 'procedural-image', input = '{ "prompt": "a lighthouse at dawn" }'] = process.argv.slice(2)
const owner = 'me'
const service = createGenerationService({ providers: [proceduralProvider()] })
process.once('SIGTERM', () => service.close()) // ends the wait

const { job } = await service.create({ owner, model, input: JSON.parse(input) })
console.log(`${job.id} is accepted`)
const { phase, outputs } = await service.waitFor(job.id, owner)
for (const [index, { fileKey }] of outputs.entries()) {
  const file = fileKey && (await service.files.open?.(fileKey))
  if (file) await writeFile(`output-${index}`, file.read())
}
await service.close()
console.log(`${job.id} is ${phase}`)
