/** OpenAI's images: an `image` makes the request an edit. */
export const gptImage = {
  outputKind: 'image',
  schema: {
    type: 'object',
    required: ['prompt'],
    properties: {
      prompt: { type: 'string' },
      image: {
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 16 }],
      },
      mask: { type: 'string' },
      n: { type: 'integer', minimum: 1, maximum: 10 },
      size: { type: 'string' },
      quality: { type: 'string', enum: ['low', 'medium', 'high', 'standard', 'hd'] },
      background: { type: 'string', enum: ['transparent', 'opaque'] },
      moderation: { type: 'string', enum: ['low', 'auto'] },
      output_compression: { type: 'integer', minimum: 0, maximum: 100 },
      output_format: { type: 'string', enum: ['png', 'webp', 'jpeg'] },
      user: { type: 'string' },
    },
  },
} as const

/** BytePlus's images. */
export const seedreamImage = {
  outputKind: 'image',
  schema: {
    type: 'object',
    anyOf: [{ required: ['prompt'] }, { required: ['image'] }],
    properties: {
      prompt: { type: 'string' },
      image: {
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 14 }],
      },
      size: { type: 'string' },
      seed: { type: 'integer', minimum: -1, maximum: 2147483647 },
      guidance_scale: { type: 'number', minimum: 1, maximum: 10 },
      layer_decomposition: { type: 'boolean' },
      output_format: { type: 'string', enum: ['png', 'jpeg'] },
      response_format: { type: 'string', enum: ['url', 'b64_json'] },
      sequential_image_generation: { type: 'string', enum: ['auto', 'disabled'] },
      watermark: { type: 'boolean' },
    },
  },
} as const

const text = { type: 'string' } as const
const partWithUrl = { type: 'object', required: ['url'], properties: { url: text } } as const

/** A part of Seedance's `content`. */
export const seedancePart = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: ['text', 'image_url', 'video_url', 'audio_url'] },
    text: { type: 'string', maxLength: 100_000 },
    image_url: partWithUrl,
    video_url: partWithUrl,
    audio_url: partWithUrl,
    role: {
      type: 'string',
      enum: ['first_frame', 'last_frame', 'reference_image', 'reference_video', 'reference_audio'],
    },
  },
} as const

/** A picture of Veo. */
export const veoImage = {
  type: 'object',
  properties: {
    bytesBase64Encoded: text,
    gcsUri: text,
    mimeType: { type: 'string', enum: ['image/jpeg', 'image/png'] },
  },
} as const
