// Code samples for a request, which has a `method`, a `url`, `headers` as pairs, and a `body` (JSON, or undefined).

export function samples(request) {
  return [
    { lang: "bash", label: "curl", source: curl(request) },
    { lang: "js", label: "JavaScript", source: javaScript(request) },
    { lang: "python", label: "Python", source: python(request) },
    { lang: "kotlin", label: "Kotlin", source: kotlin(request) },
    { lang: "swift", label: "Swift", source: swift(request) },
  ];
}

function curl({ method, url, headers, body }) {
  const options = headers.map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`);
  const lines = [`curl -X ${method} ${shellText(url)}`, ...options];
  if (body !== undefined) lines.push(`-d ${shellText(JSON.stringify(body))}`);
  return lines.join(" \\\n  ");
}

function javaScript({ method, url, headers, body }) {
  const lines = [`const response = await fetch(${text(url)}, {`, `  method: ${text(method)},`];
  if (headers.length) lines.push(`  headers: ${JSON.stringify(Object.fromEntries(headers))},`);
  if (body !== undefined) lines.push(`  body: JSON.stringify(${JSON.stringify(body)}),`);
  return [...lines, "});", "console.log(await response.json());"].join("\n");
}

function python({ method, url, headers, body }) {
  const lines = ["import requests", "", "response = requests.request(", `    ${text(method)},`, `    ${text(url)},`];
  if (headers.length) lines.push(`    headers=${pythonValue(Object.fromEntries(headers))},`);
  if (body !== undefined) lines.push(`    json=${pythonValue(body)},`);
  return [...lines, ")", "print(response.json())"].join("\n");
}

function kotlin({ method, url, headers, body }) {
  const publisher = body === undefined ? "noBody()" : `ofString(${kotlinText(JSON.stringify(body))})`;
  return [
    "import java.net.URI",
    "import java.net.http.*",
    "",
    `val request = HttpRequest.newBuilder(URI(${kotlinText(url)}))`,
    ...headers.map(([name, value]) => `    .header(${kotlinText(name)}, ${kotlinText(value)})`),
    `    .method(${kotlinText(method)}, HttpRequest.BodyPublishers.${publisher})`,
    "    .build()",
    "val response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString())",
    "println(response.body())",
  ].join("\n");
}

function swift({ method, url, headers, body }) {
  const lines = [
    "import Foundation",
    "",
    `var request = URLRequest(url: URL(string: ${text(url)})!)`,
    `request.httpMethod = ${text(method)}`,
    ...headers.map(([name, value]) => `request.setValue(${text(value)}, forHTTPHeaderField: ${text(name)})`),
  ];
  if (body !== undefined) lines.push(`request.httpBody = Data(#"${JSON.stringify(body)}"#.utf8)`);
  lines.push("let (data, _) = try await URLSession.shared.data(for: request)");
  return [...lines, "print(String(decoding: data, as: UTF8.self))"].join("\n");
}

// JSON strings are also valid string literals in JavaScript, Python and Swift.
function text(value) {
  return JSON.stringify(String(value));
}

// In a Kotlin string, `$` begins a variable, so it must be escaped.
function kotlinText(value) {
  return text(value).replaceAll("$", "\\$");
}

function shellText(value) {
  return `'${String(value).replaceAll("'", "'\\''")}'`;
}

function pythonValue(value) {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, field]) => `${text(name)}: ${pythonValue(field)}`).join(", ")}}`;
}
