/** What axe is asked: WCAG 2.2 at level AA. */
export const accessibility = {
  runOnly: { type: 'tag' as const, values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] },
}
