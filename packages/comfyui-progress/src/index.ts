export {
  type PromptFollower,
  promptFollower,
  type PromptFollowerOptions,
} from './progress/prompt-follower.ts'
