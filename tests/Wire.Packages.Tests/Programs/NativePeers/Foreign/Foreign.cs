namespace Foreign;

// An assembly that knows none of the serializers: nothing here has an attribute.

public class Parcel
{
    public string? Code { get; set; }

    public int Weight { get; init; }
}

public class Sealed
{
    private readonly string _code;
    private int _opened;

    public Sealed(string key) => _code = key;

    public void Open() => _opened++;

    public override string ToString() => $"{_code} {_opened}";
}

public enum Zone { North, South }
