// Which functions are flows, and which are the work of a step, told by how they are written and where they are handed to.
// No types are asked: the rule holds in a project whose linter knows none, and in plain JavaScript.

/** Finds for a place in the code the run whose flow it belongs to. */
export function createFlowFinder(sourceCode) {
  const imports = importsOf(sourceCode.ast);
  const typeName = (node) => nameGivenOut(node, imports);

  return {
    /** What the run is called there; undefined outside of every flow, and in the work of a step. */
    runAround(place) {
      for (let node = place; node !== null; node = node.parent) {
        if (!isFunction(node)) continue;
        const uses = usesOf(node, sourceCode);
        if (uses.length > 0 && uses.every(isStepWork)) return undefined;
        const run = node.params.find((each) => isRunType(annotationOf(each), typeName));
        if (run !== undefined) return nameOf(run);
        if (uses.some(isHandedARun) || isHeldAsFlow(node, typeName)) return nameOf(node.params[0]);
      }
      return undefined;
    },
  };
}

/** The expressions that stand for a function: itself, or where it has a name, each use of that. */
function usesOf(fn, sourceCode) {
  const own = dressed(fn);
  const named =
    fn.type === "FunctionDeclaration" ? fn : own.parent.type === "VariableDeclarator" ? own.parent : undefined;
  if (named === undefined) return [own];
  const variable = sourceCode
    .getDeclaredVariables(named)
    .find(({ defs }) => defs.some((each) => each.node === named && each.type !== "Parameter"));
  const read = variable?.references.filter((each) => each.isRead() && each.isValueReference !== false) ?? [];
  return read.map(({ identifier }) => dressed(identifier));
}

/** `run.step(key, work, { interrupted })` and `run.perform(key, { perform, write })`: what is done once and journaled. */
function isStepWork(use) {
  if (isArgument(use, 1, ["step", "perform"])) return true;
  const { parent } = use;
  if (parent.type !== "Property") return false;
  const object = dressed(parent.parent);
  if (keyOf(parent) === "interrupted") return isArgument(object, 2, ["step"]);
  return ["perform", "write"].includes(keyOf(parent)) && isArgument(object, 1, ["perform"]);
}

/** `run.branch(key, fn)` and `defineWorkflow({ run })`. */
function isHandedARun(use) {
  if (isArgument(use, 1, ["branch"])) return true;
  const { parent } = use;
  if (parent.type !== "Property" || keyOf(parent) !== "run") return false;
  const definition = dressed(parent.parent);
  const call = definition.parent;
  return call.type === "CallExpression" && call.arguments[0] === definition && calledName(call) === "defineWorkflow";
}

/** Whether a function is the value of something whose type says `Flow`, or `(run: Run) => …`. */
function isHeldAsFlow(fn, typeName) {
  for (let node = fn; ; node = node.parent) {
    const { parent } = node;
    if (isDress(parent) || (parent.type === "VariableDeclarator" && parent.init === node)) {
      if (isFlowType(annotationOf(parent.id ?? parent), typeName)) return true;
    } else if (parent.type === "PropertyDefinition") return isFlowType(annotationOf(parent), typeName);
    else if (parent.type === "ReturnStatement") return isFlowType(functionAround(parent)?.returnType, typeName);
    else if (parent.type === "ArrowFunctionExpression") return isFlowType(parent.returnType, typeName);
    else if (!["ArrayExpression", "ObjectExpression", "Property"].includes(parent.type)) return false;
  }
}

function isRunType(type, typeName) {
  if (type?.type === "TSTypeAnnotation") return isRunType(type.typeAnnotation, typeName);
  if (type?.types !== undefined) return type.types.some((each) => isRunType(each, typeName));
  if (type?.type !== "TSTypeReference") return false;
  const name = typeName(type.typeName);
  return name === "Run" || (["Omit", "Pick", "Readonly"].includes(name) && isRunType(typeArguments(type)[0], typeName));
}

function isFlowType(type, typeName) {
  if (type === undefined || type === null) return false;
  if (type.type === "TSFunctionType") return type.params.some((each) => isRunType(annotationOf(each), typeName));
  if (type.type === "TSTypeReference" && typeName(type.typeName) === "Flow") return true;
  const parts = [type.typeAnnotation, type.elementType, ...(type.types ?? []), ...typeArguments(type)];
  return parts.some((part) => isFlowType(part, typeName));
}

/** Local name to what is imported by it. */
function importsOf(program) {
  const declarations = program.body.filter(({ type }) => type === "ImportDeclaration");
  const imports = declarations.flatMap(({ source, specifiers }) =>
    specifiers.map(({ local, imported }) => [local.name, { name: imported?.name ?? local.name, from: source.value }]),
  );
  return new Map(imports);
}

/** What a type is called by the module that gives it out. A type of another package is another type, whatever its name. */
function nameGivenOut(typeName, imports) {
  const root = typeName.type === "TSQualifiedName" ? typeName.left : typeName;
  const found = imports.get(root.name);
  const isForeign = found !== undefined && /^(?:@[^/]+\/)?\w/.test(found.from) && !/^toolpost(?:\/|$)/.test(found.from);
  if (isForeign) return undefined;
  return typeName.type === "TSQualifiedName" ? typeName.right.name : (found?.name ?? typeName.name);
}

function isArgument(node, index, methods) {
  const call = node.parent;
  return call.type === "CallExpression" && call.arguments[index] === node && methods.includes(methodName(call));
}

function methodName({ callee }) {
  return callee.type === "MemberExpression" && !callee.computed ? callee.property.name : undefined;
}

function calledName(call) {
  return call.callee.type === "Identifier" ? call.callee.name : methodName(call);
}

/** The node with what only changes its type around it: `fn as Flow`, `fn satisfies Flow`. */
function dressed(node) {
  return isDress(node.parent) ? dressed(node.parent) : node;
}

function isDress({ type }) {
  return type === "TSAsExpression" || type === "TSSatisfiesExpression" || type === "TSNonNullExpression";
}

function functionAround(node) {
  return isFunction(node) ? node : node.parent && functionAround(node.parent);
}

function isFunction({ type }) {
  return ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(type);
}

/** Of a parameter, whatever stands around it: a default, or the property that a constructor makes of it. */
function annotationOf(node) {
  return bare(node).typeAnnotation;
}

function nameOf(parameter) {
  const { name } = parameter === undefined ? {} : bare(parameter);
  return name ?? "run";
}

function bare(node) {
  const inner =
    node.type === "AssignmentPattern" ? node.left : node.type === "TSParameterProperty" ? node.parameter : node;
  return inner === node ? node : bare(inner);
}

function typeArguments(type) {
  return (type.typeArguments ?? type.typeParameters)?.params ?? [];
}

function keyOf({ key, computed }) {
  return computed ? undefined : (key.name ?? key.value);
}
