/** The one page of the portal. Nothing is inline, so that a strict content security policy holds. */
export const portalHtml = (script: string, preload: readonly string[] = []) => `<!doctype html>
<html lang="zh">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mkopo</title>
<link rel="icon" href="data:,">
${preload.map(file => `<link rel="modulepreload" href="${file}">\n`).join('')}<script type="module" src="${script}"></script>
</head>
<body></body>
</html>
`
