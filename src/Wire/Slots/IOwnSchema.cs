namespace Wire.Slots;

/// <summary>
/// Marks the value serializers whose layout is sent in the type's own manifest, not in the schema of the declaring type.
/// </summary>
internal interface IOwnSchema;
