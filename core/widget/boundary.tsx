import { Component, type ReactNode } from 'react'
import { type Host, HostContext } from '../element/context.ts'
import { forgetFailures, LoadError } from '../element/load-once.ts'
import { bootText } from '../i18n/boot.ts'
import { Failed } from '../ui/states.tsx'

/** Only the console reloads; the page of a host is not ours to reload. */
const reloads = () => customElements.get('mkopo-portal') !== undefined
const reload = () => window.location.reload()

type State = { error?: unknown }

/** Shows what went wrong inside the widget's own box, and lets the person try again. */
export class Boundary extends Component<{ children: ReactNode }, State> {
  static override contextType = HostContext
  declare context: Host
  override state: State = {}

  static getDerivedStateFromError = (error: unknown): State => ({ error: error ?? new Error() })

  retry = () => {
    forgetFailures()
    this.setState({ error: undefined })
  }

  override componentDidCatch(error: unknown) {
    const { tag, emit } = this.context
    const message = error instanceof Error ? error.message : String(error)
    emit('mkopo-error', { tag, type: error instanceof LoadError ? 'network' : 'render', message, retry: this.retry })
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    const key = error instanceof LoadError ? 'notLoaded' : 'failed'
    const { language } = this.context.props
    return <Failed message={bootText(language, key)} onRetry={this.retry} onReload={reloads() ? reload : undefined} />
  }
}
