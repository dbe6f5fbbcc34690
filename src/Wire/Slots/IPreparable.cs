namespace Wire.Slots;

/// <summary>A value serializer that compiles code for its values when enough of them have been met, or before.</summary>
internal interface IPreparable
{
    /// <summary>Compiles what the values need, apart from their parts.</summary>
    void Prepare();
}
