/**
 * The bodies that programs send, written down from the sources of these programs. `file` and `revision` say where each body
 * is made; what a user chooses in the program is filled in.
 */
export interface ProgramBody {
  readonly program: string
  readonly file: string
  /** A commit of the repository, or a release in a registry. */
  readonly revision: string
  readonly path: '/images/generations' | '/images/edits' | '/videos'
  /** The JSON body, or the fields of a form, in which a `Blob` is a file. */
  readonly body: Readonly<Record<string, unknown>>
  readonly isForm?: boolean
  /** What the program reads in the answer. @default 'b64_json', or a film from `/videos` */
  readonly reads?: 'url' | 'b64_json'
}

/** @param picture the picture that the forms contain */
export const programBodies = (picture: Blob): readonly ProgramBody[] => [
  {
    program: 'Open WebUI',
    file: 'open-webui/open-webui backend/open_webui/routers/images.py (image_generations)',
    revision: '02530d501461ce58ab06231d7c2ef2024a141ddf, and the same in open-webui 0.12.4 on PyPI',
    path: '/images/generations',
    body: { model: 'painter', prompt: 'a fox', n: 1, size: '512x512', response_format: 'b64_json' },
  },
  {
    program: 'Open WebUI with a model whose name matches its pattern for models without response_format',
    file: 'open-webui/open-webui backend/open_webui/routers/images.py (image_generations)',
    revision: '02530d501461ce58ab06231d7c2ef2024a141ddf, and the same in open-webui 0.12.4 on PyPI',
    path: '/images/generations',
    body: { model: 'gpt-image-2', prompt: 'a fox', n: 2, size: 'auto' },
  },
  {
    program: 'Open WebUI, editing two pictures',
    file: 'open-webui/open-webui backend/open_webui/routers/images.py (image_edits)',
    revision: '02530d501461ce58ab06231d7c2ef2024a141ddf, and the same in open-webui 0.12.4 on PyPI',
    path: '/images/edits',
    body: {
      model: 'painter',
      prompt: 'a hat',
      n: '2',
      size: '1024x1024',
      background: 'transparent',
      response_format: 'b64_json',
      'image[]': [picture, picture],
    },
    isForm: true,
  },
  {
    program: 'LibreChat, with its tool for DALL-E',
    file: 'danny-avila/LibreChat api/app/clients/tools/structured/DALLE3.js',
    revision: '37d31ec25f2aac6a4e9a4eb3fc05e3c824250861',
    path: '/images/generations',
    body: {
      model: 'dall-e-3',
      quality: 'standard',
      style: 'vivid',
      size: '1792x1024',
      prompt: 'a fox',
      n: 1,
    },
    reads: 'url',
  },
  {
    program: 'LibreChat',
    file: 'danny-avila/LibreChat api/app/clients/tools/structured/OpenAIImageTools.js (imageGenTool)',
    revision: '00b3bc32f0f5dd65befa49a0773dae7d26d8e587',
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
    revision: '00b3bc32f0f5dd65befa49a0773dae7d26d8e587',
    path: '/images/edits',
    body: { model: 'gpt-image-2', prompt: 'a hat', quality: 'auto', size: 'auto', 'image[]': picture },
    isForm: true,
  },
  {
    program: 'LobeHub',
    file: 'lobehub/lobe-chat packages/model-runtime/src/core/openaiCompatibleFactory/createImage.ts',
    revision: '3c7f18669a25b48454ff03d157abdb28e74e89d9',
    path: '/images/generations',
    body: { model: 'painter', n: 1, prompt: 'a fox', size: '1024x1024' },
  },
  {
    program: 'LobeHub, editing',
    file: 'lobehub/lobe-chat packages/model-runtime/src/core/openaiCompatibleFactory/createImage.ts',
    revision: '3c7f18669a25b48454ff03d157abdb28e74e89d9',
    path: '/images/edits',
    body: { model: 'painter', n: '1', input_fidelity: 'high', prompt: 'a hat', image: picture },
    isForm: true,
  },
  {
    program: 'n8n',
    file: 'n8n-io/n8n packages/@n8n/nodes-langchain/nodes/vendors/OpenAi/v2/actions/image/generate.operation.ts',
    revision: '0713e950eff47ef4618dfe3c66eb32a6e9554e16',
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
    program: 'n8n, editing',
    file: 'n8n-io/n8n packages/@n8n/nodes-langchain/nodes/vendors/OpenAi/v2/actions/image/edit.operation.ts',
    revision: '@n8n/n8n-nodes-langchain 2.41.1 on npm',
    path: '/images/edits',
    body: {
      'image[]': picture,
      prompt: 'a hat',
      model: 'gpt-image-2',
      n: '1',
      size: '1024x1024',
      input_fidelity: 'high',
      output_format: 'webp',
      output_compression: '80',
      quality: 'auto',
      mask: picture,
    },
    isForm: true,
  },
  {
    program: 'n8n, a film',
    file: 'n8n-io/n8n packages/@n8n/nodes-langchain/nodes/vendors/OpenAi/v2/actions/video/generate.operation.ts',
    revision: '@n8n/n8n-nodes-langchain 2.41.1 on npm',
    path: '/videos',
    body: { model: 'filmer', prompt: 'a kite', seconds: '4', size: '1280x720', input_reference: picture },
    isForm: true,
  },
  {
    program: 'LangChain for Python',
    file: 'langchain-ai/langchain-community libs/community/langchain_community/utilities/dalle_image_generator.py',
    revision: 'langchain-community 0.4.2 on PyPI',
    path: '/images/generations',
    body: { model: 'dall-e-3', prompt: 'a fox', n: 1, size: '1024x1024' },
    reads: 'url',
  },
  {
    program: 'LangChain for JavaScript',
    file: 'langchain-ai/langchainjs libs/providers/langchain-openai/src/tools/dalle.ts',
    revision: '62fc484b2a0d1ec5b8bebff4a8a0efe6300ada72',
    path: '/images/generations',
    body: {
      model: 'painter',
      prompt: 'a fox',
      n: 1,
      size: '1024x1024',
      response_format: 'url',
      style: 'vivid',
      quality: 'standard',
    },
    reads: 'url',
  },
  {
    program: "OpenAI's SDK for Go",
    file: 'openai/openai-go image.go (ImageGenerateParams)',
    revision: '4e5a07a6a205761650d73593fe75cd79ea7a25ec, and the same sent by v3.99.0',
    path: '/images/generations',
    body: { prompt: 'a fox', n: 4, model: 'painter' },
  },
  {
    program: "OpenAI's SDK for Go, editing two pictures",
    file: 'openai/openai-go image.go (ImageEditParams)',
    revision: '4e5a07a6a205761650d73593fe75cd79ea7a25ec, and the same sent by v3.99.0',
    path: '/images/edits',
    body: { 'image[]': [picture, picture], mask: picture, model: 'painter', prompt: 'a hat' },
    isForm: true,
  },
  {
    program: "OpenAI's SDK for Go, a film",
    file: 'openai/openai-go video.go (VideoNewParams)',
    revision: '4e5a07a6a205761650d73593fe75cd79ea7a25ec, and the same sent by v3.99.0',
    path: '/videos',
    body: { input_reference: picture, model: 'filmer', prompt: 'a kite', seconds: '8', size: '1280x720' },
    isForm: true,
  },
  {
    program: 'LiteLLM, editing',
    file: 'BerriAI/litellm litellm/llms/openai/image_edit/transformation.py',
    revision: 'litellm 1.108.7 on PyPI',
    path: '/images/edits',
    body: { model: 'painter', prompt: 'a hat', 'image[]': [picture, picture], mask: picture },
    isForm: true,
  },
  {
    program: 'LiteLLM, a film',
    file: 'BerriAI/litellm litellm/llms/openai/videos/transformation.py',
    revision: 'litellm 1.108.7 on PyPI',
    path: '/videos',
    body: { model: 'filmer', prompt: 'a kite', seconds: '4', size: '1280x720' },
    isForm: true,
  },
  {
    program: 'LiteLLM',
    file: 'BerriAI/litellm litellm/llms/openai/image_generation/gpt_transformation.py',
    revision: '03c4e68ef550e4a02462bdf75b7cc030076e2903',
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
