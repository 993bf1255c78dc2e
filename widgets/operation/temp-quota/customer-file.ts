/**
 * Customers of a file that people have: the first column of a table with commas, semicolons or tabs, or one a line. Lines without a digit,
 * such as the names of columns, are left out.
 */
export const customersOfFile = (text: string): string[] => [
  ...new Set(
    text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      .map(line =>
        (line.split(/[,;\t]/)[0] ?? '')
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .trim(),
      )
      .filter(one => /\d/.test(one)),
  ),
]
