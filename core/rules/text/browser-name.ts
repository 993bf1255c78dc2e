const browsers = [
  ['Edge', /Edg\w*\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+).*Safari/],
] as const
const systems = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** A browser and its system as people call them; the whole text where neither is known, null for none. */
export const browserName = (agent: string | null): string | null => {
  if (!agent) return null
  const browser = browsers.flatMap(([name, pattern]) => {
    const version = pattern.exec(agent)?.[1]
    return version ? [`${name} ${version}`] : []
  })[0]
  const system = systems.find(([, pattern]) => pattern.test(agent))?.[0]
  return [browser, system].filter(Boolean).join(' · ') || agent
}
