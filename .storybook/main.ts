import { fileURLToPath } from 'node:url'
import type { StorybookConfig } from '@storybook/web-components-vite'
import { generated, writeStories } from '../stories/generate.ts'

writeStories()

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

const config: StorybookConfig = {
  framework: {
    name: '@storybook/web-components-vite',
    options: { builder: { viteConfigPath: here('vite.config.ts') } },
  },
  stories: [
    { directory: here('../stories'), files: '**/*.stories.@(ts|tsx)' },
    { directory: here('../stories'), files: 'guides/*.mdx' },
    { directory: generated, files: '*.stories.ts' },
  ],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y'],
  staticDirs: ['../stories/public', { from: '../docs/screens', to: '/screens' }],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  features: { sidebarOnboardingChecklist: false },
}
export default config
