using System.Runtime.Serialization;

namespace Bench;

/// <summary>As small as a class with data can be.</summary>
[DataContract]
public sealed partial class OneInt
{
    /// <summary>A number.</summary>
    [DataMember(Order = 0)]
    public int Number { get; set; }
}

/// <summary>One text.</summary>
[DataContract]
public sealed partial class OneString
{
    /// <summary>A line of text, as in a log.</summary>
    [DataMember(Order = 0)]
    public string? Text { get; set; }
}
