/**
 * Characters that nobody sees: zero-width ones, soft hyphens, marks and controls of the writing direction, and tags. With them two
 * texts that look alike differ, or a text reads otherwise than it is stored.
 */
const unseen = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu
/** The same without the two joiners, which emoji and some scripts are composed with. */
const unseenInProse = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu

/** Whether every character of a text can be seen, or is a space. */
export const isVisible = (text: string): boolean => text.search(unseen) < 0

/** A line without characters that nobody sees. */
export const visibleLine = (text: string): string => text.replace(unseen, '')

/** Running text without them; what joins letters and emoji stays. */
export const visibleProse = (text: string): string => text.replace(unseenInProse, '')
