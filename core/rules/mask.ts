/** Hides a sensitive text: five characters or fewer become five asterisks, longer ones keep the first two and the last two. */
export const mask = (text: string): string => {
  const letters = Array.from(text)
  if (letters.length <= 5) return '*****'
  return letters.slice(0, 2).join('') + '*'.repeat(letters.length - 4) + letters.slice(-2).join('')
}
