import type { Preview } from '@storybook/web-components-vite'
import { setCustomElementsManifest } from '@storybook/web-components-vite'
import { setupWorker } from 'msw/browser'
import { mswLoader } from 'msw-storybook-addon/csf3'
import { withActions } from 'storybook/actions/decorator'
import { customElements as manifest } from '../build/bundle/manifest.ts'
import { ClientProviders } from '../core/client/providers.tsx'
import { base } from '../core/contract/endpoint.ts'
import { aboutEvents } from '../core/element/about.ts'
import { defineWidget } from '../core/widget/define-widget.tsx'
import '../core/element/leaves/mkopo-copy.ts'
import '../core/element/leaves/mkopo-loading.ts'
import '../core/element/leaves/mkopo-phone.ts'
import '../core/element/leaves/mkopo-toast.ts'
import { languages } from '../core/i18n/language.ts'
import '../stories/docs/language-now.ts'
import { handlers } from '../stories/mocks.ts'
import { accessibility } from '../stories/rules.ts'
import { countRequests } from '../stories/settled.ts'
import { networks, viewers } from '../stories/states.ts'
import { widgets } from '../widgets/registry.ts'

countRequests()
setCustomElementsManifest(manifest(widgets))
for (const widget of widgets) defineWidget(widget, ClientProviders, async () => widgets)

const startWorker = async () => {
  const worker = setupWorker(...handlers)
  await worker.start({
    quiet: true,
    serviceWorker: { url: 'mockServiceWorker.js' },
    onUnhandledRequest: (request, print) => {
      if (new URL(request.url).pathname.startsWith(base)) print.error()
    },
  })
  return worker
}

const choice = (title: string, icon: string, items: readonly string[]) => ({
  description: title,
  toolbar: { title, icon, items: [...items], dynamicTitle: true },
})

const preview: Preview = {
  tags: ['autodocs'],
  loaders: [mswLoader(startWorker)],
  globalTypes: {
    language: choice('Language', 'globe', languages),
    theme: choice('Theme', 'mirror', ['light', 'dark']),
    density: choice('Density', 'component', ['normal', 'compact']),
    viewer: choice('Who looks', 'user', viewers),
    network: choice('Network', 'timer', Object.keys(networks)),
  },
  initialGlobals: { language: 'zh', theme: 'light', density: 'normal', viewer: viewers[0], network: 'fast' },
  decorators: [
    withActions,
    (story, { globals }) => {
      document.documentElement.lang = globals.language
      document.documentElement.style.colorScheme = globals.theme
      document.body.style.background = globals.theme === 'dark' ? '#111113' : '#fff'
      document.body.style.minHeight = '100vh'
      return story()
    },
  ],
  parameters: {
    layout: 'padded',
    actions: { handles: [...Object.keys(aboutEvents), 'mkopo-reveal'] },
    a11y: { test: 'error', options: accessibility },
    backgrounds: { disable: true },
    options: {
      storySort: {
        method: 'alphabetical',
        order: ['Start here', 'Embedding', 'Sign in', 'Console', '*', 'Parts', 'Small elements'],
      },
    },
  },
}
export default preview
