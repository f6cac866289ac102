/**
 * The bodies that programs send, written down from the sources of these programs. `file` and `commit` say where each body is
 * made; what a user chooses in the program is filled in.
 */
export interface ProgramBody {
  readonly program: string
  readonly file: string
  readonly commit: string
  readonly path: '/images/generations' | '/images/edits'
  /** The JSON body, or the fields of a form, in which a `Blob` is a file. */
  readonly body: Readonly<Record<string, unknown>>
  readonly isForm?: boolean
}

/** @param picture the picture that the forms contain */
export const programBodies = (picture: Blob): readonly ProgramBody[] => [
  {
    program: 'Open WebUI',
    file: 'open-webui/open-webui backend/open_webui/routers/images.py (image_generations)',
    commit: '02530d501461ce58ab06231d7c2ef2024a141ddf',
    path: '/images/generations',
    body: { model: 'painter', prompt: 'a fox', n: 1, size: '512x512', response_format: 'b64_json' },
  },
  {
    program: 'Open WebUI with a model whose name matches its pattern for models without response_format',
    file: 'open-webui/open-webui backend/open_webui/routers/images.py (image_generations)',
    commit: '02530d501461ce58ab06231d7c2ef2024a141ddf',
    path: '/images/generations',
    body: { model: 'gpt-image-2', prompt: 'a fox', n: 2, size: 'auto' },
  },
  {
    program: 'LibreChat',
    file: 'danny-avila/LibreChat api/app/clients/tools/structured/OpenAIImageTools.js (imageGenTool)',
    commit: '00b3bc32f0f5dd65befa49a0773dae7d26d8e587',
    path: '/images/generations',
    body: {
      model: 'gpt-image-2',
      prompt: 'a fox',
      n: 1,
      background: 'auto',
      output_format: 'webp',
      output_compression: 100,
      quality: 'auto',
      size: 'auto',
    },
  },
  {
    program: 'LibreChat, editing',
    file: 'danny-avila/LibreChat api/app/clients/tools/structured/OpenAIImageTools.js (imageEditTool)',
    commit: '00b3bc32f0f5dd65befa49a0773dae7d26d8e587',
    path: '/images/edits',
    body: { model: 'gpt-image-2', prompt: 'a hat', quality: 'auto', size: 'auto', 'image[]': picture },
    isForm: true,
  },
  {
    program: 'LobeHub',
    file: 'lobehub/lobe-chat packages/model-runtime/src/core/openaiCompatibleFactory/createImage.ts',
    commit: '3c7f18669a25b48454ff03d157abdb28e74e89d9',
    path: '/images/generations',
    body: { model: 'painter', n: 1, prompt: 'a fox', size: '1024x1024' },
  },
  {
    program: 'LobeHub, editing',
    file: 'lobehub/lobe-chat packages/model-runtime/src/core/openaiCompatibleFactory/createImage.ts',
    commit: '3c7f18669a25b48454ff03d157abdb28e74e89d9',
    path: '/images/edits',
    body: { model: 'painter', n: '1', input_fidelity: 'high', prompt: 'a hat', image: picture },
    isForm: true,
  },
  {
    program: 'n8n',
    file: 'n8n-io/n8n packages/@n8n/nodes-langchain/nodes/vendors/OpenAi/v2/actions/image/generate.operation.ts',
    commit: '0713e950eff47ef4618dfe3c66eb32a6e9554e16',
    path: '/images/generations',
    body: {
      prompt: 'a fox',
      model: 'painter',
      response_format: 'b64_json',
      n: 1,
      quality: 'standard',
      size: '1024x1024',
      style: 'vivid',
    },
  },
  {
    program: 'LiteLLM',
    file: 'BerriAI/litellm litellm/llms/openai/image_generation/gpt_transformation.py',
    commit: '03c4e68ef550e4a02462bdf75b7cc030076e2903',
    path: '/images/generations',
    body: {
      model: 'painter',
      prompt: 'a fox',
      background: 'auto',
      moderation: 'auto',
      n: 1,
      output_compression: 90,
      output_format: 'png',
      quality: 'high',
      size: '1024x1024',
      user: 'user-7',
    },
  },
]
