using System.Collections.ObjectModel;
using System.ComponentModel;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

[TypeNotes("those who listen are not written; it listens to its elements again")]
public sealed class BindingListTests : ValueTests<BindingList<string?>?>
{
    protected override IEnumerable<BindingList<string?>?> Samples =>
    [
        null, [], ["a", null], new(new string?[] { "fixed" }), new(new Collection<string?> { "inner" }), new() { AllowNew = true },
        new() { AllowNew = false },
        new() { AllowEdit = false }, new() { AllowRemove = false }, new() { RaiseListChangedEvents = false },
    ];
}

public sealed class BindingListOfValuesTests : ValueTests<BindingList<int>>
{
    protected override IEnumerable<BindingList<int>> Samples =>
        [[], [1, 2, 3], new() { AllowNew = false, AllowEdit = false, AllowRemove = false }];
}

public sealed class TitledBindingListTests : ValueTests<TitledBindingList?>
{
    protected override IEnumerable<TitledBindingList?> Samples =>
        [null, [], new TitledBindingList { Title = "t", AllowEdit = false }.With(1, 2)];
}

public sealed class BindingListUseTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_listens_to_its_elements_and_tells_those_who_listen_to_it(bool references)
    {
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = references });
        var first = new Item { Name = "first" };
        var list = new BindingList<Item> { first, new() { Name = "second" } };
        first.Owner = references ? list : null;
        BindingList<Item> back = serializer.CopyBothWays(list);
        var changes = new List<(ListChangedType, int)>();
        back.ListChanged += (_, e) => changes.Add((e.ListChangedType, e.NewIndex));
        back[1].Name = "other";
        back[0].Name = "one";
        back.RemoveAt(1);
        Assert.Equal([(ListChangedType.ItemChanged, 1), (ListChangedType.ItemChanged, 0), (ListChangedType.ItemDeleted, 1)], changes);
        Assert.Equal(references, back[0].Owner is not null);
    }

    [Fact]
    public void A_new_element_that_is_not_kept_yet_can_still_be_given_up()
    {
        var list = new BindingList<Item> { new() };
        list.AddNew();
        BindingList<Item> back = new Serializer().CopyBothWays(list);
        Assert.Equal(2, back.Count);
        back.CancelNew(1);
        Assert.Single(back);
    }

    [Fact]
    public void Its_list_is_shared_with_whoever_else_has_it()
    {
        var items = new List<string> { "a" };
        object[] back = new Serializer(new SerializerOptions { PreserveObjectReferences = true })
            .Clone<object[]>([items, new BindingList<string>(items)]);
        ((List<string>)back[0]).Add("b");
        Assert.Equal(["a", "b"], (BindingList<string>)back[1]);
    }

    [Fact]
    public void Flags_that_it_does_not_have_are_invalid()
    {
        byte[] bytes = new Serializer().Serialize(new BindingList<byte>());
        int at = bytes.AsSpan().LastIndexOf((ReadOnlySpan<byte>)[0x13, 0xFF, 0xFF, 0xFF, 0xFF]);
        bytes[at] = 0x33;
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(bytes)).Error);
    }

    private sealed class Item : INotifyPropertyChanged
    {
        private string? _name;

        [field: NonSerialized]
        public event PropertyChangedEventHandler? PropertyChanged;

        public BindingList<Item>? Owner { get; set; }

        public string? Name
        {
            get => _name;
            set
            {
                _name = value;
                PropertyChanged?.Invoke(this, new PropertyChangedEventArgs(nameof(Name)));
            }
        }
    }
}
