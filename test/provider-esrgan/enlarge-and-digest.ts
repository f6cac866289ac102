/* Enlarges what the runtimes are compared by and prints the digest of each file. Has to end by itself. */
import { createHash } from 'node:crypto'
import { drawing } from './drawing.ts'
import { enlarged } from './enlarged.ts'

const { dataUri } = await drawing(60)
const files = [await enlarged('esrgan-x2', dataUri), await enlarged('esrgan-x4', dataUri)]
console.log(JSON.stringify(files.map((file) => createHash('sha256').update(file).digest('hex'))))
