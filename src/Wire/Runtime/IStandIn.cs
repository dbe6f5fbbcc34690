namespace Wire.Runtime;

/// <summary>Marks the records of opt-in objects, to which options for other types do not apply.</summary>
internal interface IStandIn
{
    static bool Is(Type type) => typeof(IStandIn).IsAssignableFrom(type.IsArray ? type.GetElementType() : type);
}
