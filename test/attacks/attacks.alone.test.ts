import { bodyAttacks } from './cases/body-attacks.ts'
import { jsonAttacks } from './cases/json-attacks.ts'
import { placeAttacks } from './cases/place-attacks.ts'
import { variantAttacks } from './cases/variant-attacks.ts'
import { testAttacks } from './test-attacks.ts'

// One attack each on the memory, on the event loop, on the connections and on the threads. The deep suite has all of them.
const [memory, loop, connections, threads] = [
  '200 bodies without a key that stand still',
  'wide JSON: 3 million values in 20 MB',
  'an owner who fills the waiting places',
  'a thousand widths of pictures of 39 million pixels',
] as const
const onMemory = { [memory]: bodyAttacks[memory] }
const margin = 2

testAttacks(
  'node',
  {
    ...onMemory,
    [loop]: jsonAttacks[loop],
    [connections]: placeAttacks[connections],
    [threads]: variantAttacks[threads],
  },
  { margin },
)
testAttacks('bun', onMemory, { margin })
testAttacks('deno', onMemory, { margin })
