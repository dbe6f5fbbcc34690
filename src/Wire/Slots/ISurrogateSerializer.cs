namespace Wire.Slots;

/// <summary>The common ground of value serializers that write a stand-in.</summary>
internal interface ISurrogateSerializer
{
    /// <summary>The type that the surrogate is registered for, in whose name values with a manifest are written.</summary>
    Type Source { get; }
}
