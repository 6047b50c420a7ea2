"""Evaluates the conditions of a template, as CloudFormation does for given parameters."""


def existing(template, parameters):
    """Returns the template as deployed: without resources whose condition is false, and with each `Fn::If` replaced."""
    defaults = {name: parameter.get("Default", "") for name, parameter in template["Parameters"].items()}
    values = {name: str(value) for name, value in (defaults | parameters).items()}
    conditions = template["Conditions"]

    def holds(name):
        return value_of(conditions[name])

    def value_of(it):
        match it:
            case {"Fn::Equals": [left, right]}:
                return str(value_of(left)) == str(value_of(right))
            case {"Fn::Not": [inner]}:
                return not value_of(inner)
            case {"Fn::And": parts}:
                return all(map(value_of, parts))
            case {"Condition": name}:
                return holds(name)
            case {"Ref": name}:
                return values[name]
            case {"Fn::Split": [separator, whole]}:
                return value_of(whole).split(separator)
            case {"Fn::Select": [index, parts]}:
                return value_of(parts)[int(index)]
        return it

    def filled(it):
        match it:
            case {"Fn::If": [name, yes, no]}:
                return filled(yes if holds(name) else no)
            case dict():
                return {key: filled(value) for key, value in it.items()}
            case list():
                return [filled(value) for value in it]
        return it

    there = {name: resource for name, resource in template["Resources"].items() if "Condition" not in resource or holds(resource["Condition"])}
    return filled(template | {"Resources": there})
