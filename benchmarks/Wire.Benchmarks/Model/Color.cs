namespace Bench;

/// <summary>An enum for members and for arguments. Orleans.Serialization needs its attribute, and an enum has no second part that could bear it.</summary>
#if PEERS_ALL
[Orleans.GenerateSerializer]
#endif
public enum Color
{
    Red,
    Green,
    Blue,
}
