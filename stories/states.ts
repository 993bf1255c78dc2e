/** The states in which every screen is shown. A story names its state in its token, and the mock server reads it there. */
export const states = ['Default', 'Empty', 'Failing', 'Offline', 'Forbidden', 'SignedOut'] as const
export type State = (typeof states)[number]

/** Who looks: somebody who sees everything, or a desensitised user, from whom the server hides names and numbers. */
export const viewers = ['sees everything', 'desensitised'] as const
/** Milliseconds that every answer takes. */
export const networks = { fast: 0, 'slow (2 s)': 2_000, 'very slow (8 s)': 8_000 } as const

type Viewer = (typeof viewers)[number]
type Network = keyof typeof networks
export type Scene = { state: State; viewer: Viewer; network: Network }

const first = 'story'
const split = '|'

/** The token under which the mock server plays a scene. */
export const tokenOf = (state: State, { viewer = 'sees everything', network = 'fast' }: Partial<Scene> = {}): string =>
  [first, state, viewer, network].join(split)

const known = <T extends string>(all: readonly T[], text: string | undefined): T =>
  all.find(one => one === text) ?? (all[0] as T)

export const sceneOf = (token: string | null): Scene => {
  const [begin, state, viewer, network] = (token ?? '').split(split)
  const ours = begin === first
  return {
    state: known(states, ours ? state : undefined),
    viewer: known(viewers, viewer),
    network: known(Object.keys(networks) as Network[], network),
  }
}
