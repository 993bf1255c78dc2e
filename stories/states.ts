/** The states in which every screen is shown. A story names its state in its token, and the mock server reads it there. */
export const states = ['Default', 'Empty', 'Failing', 'Offline', 'Forbidden', 'SignedOut'] as const
export type State = (typeof states)[number]

/** What a state shows, for the docs. */
export const stateInfo: Record<State, string> = {
  Default: 'Everything answers.',
  Empty: 'Lists are empty, counts are zero.',
  Failing: 'The server fails: HTTP 500 and code 50001.',
  Offline: 'No answer arrives.',
  Forbidden: 'The caller may not use the screen: code 40301.',
  SignedOut: 'The token is no longer good: code -10.',
}

export const tokenOf = (state: State) => `story-${state}`
export const stateOf = (token: string | null): State => states.find(state => token === tokenOf(state)) ?? 'Default'
