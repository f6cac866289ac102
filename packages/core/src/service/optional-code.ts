/**
 * The code of the options `limits`, `moderate`, `uploads` and `webhooks`. It is one module: with a module for each
 * option, bundlers would split the code that the options share with all apps into a dozen small files.
 */
export { deliverer } from '../deliveries/deliverer.ts'
export { limiter } from '../limits/limiter.ts'
export { moderateInput } from '../moderation/moderate-input.ts'
export { moderateOutputs } from '../moderation/moderate-outputs.ts'
export { uploadService } from '../uploads/upload-service.ts'
