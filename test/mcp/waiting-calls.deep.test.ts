import { testHeldBytes } from './held-bytes.ts'
import { testPlaces } from './waiting-places.ts'

const calls = { calls: 500, places: 200 }
testPlaces('as it is', (v1) => v1, calls, { maxWaiters: 200 })
testPlaces('as copies', (v1) => (request) => v1(new Request(request)), calls, {})

testHeldBytes('node', 'legacy, with progress')
// Calls with progress are not counted here: on Deno 100 of them are streams, which take more.
testHeldBytes('deno', 'modern')
