import { drawing } from './drawing.ts'
import { testModel } from './test-model.ts'

// The deep suite has the model that enlarges four times. `closer-to-the-truth.test.ts` makes pictures with it.
testModel('esrgan-x2', { image: (await drawing(64)).dataUri })
